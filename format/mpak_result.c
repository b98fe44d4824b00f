#include "format/mpak_result.h"

const char *mpak_result_name(mpak_result result) {
  switch (result) {
#define NAME(value)                                                                                                    \
  case value: return #value;
    NAME(MPAK_OK)
    NAME(MPAK_ERROR_ARGUMENT)
    NAME(MPAK_ERROR_BUFFER_TOO_SMALL)
    NAME(MPAK_ERROR_ALIGNMENT)
    NAME(MPAK_ERROR_LIMIT)
    NAME(MPAK_ERROR_OUT_OF_MEMORY)
    NAME(MPAK_ERROR_NOT_FOUND)
    NAME(MPAK_ERROR_NO_DECODER)
    NAME(MPAK_ERROR_GL)
    NAME(MPAK_ERROR_FILE)
    NAME(MPAK_ERROR_NOT_A_PACK)
    NAME(MPAK_ERROR_VERSION)
    NAME(MPAK_ERROR_FEATURE)
    NAME(MPAK_ERROR_ENDIANNESS)
    NAME(MPAK_ERROR_WRAPPED)
    NAME(MPAK_ERROR_TRUNCATED)
    NAME(MPAK_ERROR_CHECKSUM)
    NAME(MPAK_ERROR_CORRUPT)
#undef NAME
  }
  return "MPAK_ERROR_UNKNOWN";
}
