// imgui_shim.cpp: Dear ImGui behind C functions.
#include "samples/viewer/imgui_shim.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <cstring>

static ImVector<ImWchar> shim_ranges; // the atlas reads them as long as it lives

extern "C" {

// -- Life and fonts ---------------------------------------------------------------------------------------------------

bool shim_open(void) {
  if (ImGui::CreateContext() == nullptr) return false;
  ImGuiIO &io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  static const int keys[SHIM_KEY_COUNT] = {ImGuiKey_Tab,       ImGuiKey_LeftArrow, ImGuiKey_RightArrow,
                                           ImGuiKey_Home,      ImGuiKey_End,       ImGuiKey_Delete,
                                           ImGuiKey_Backspace, ImGuiKey_Enter,     ImGuiKey_Escape};
  for (int i = 0; i < SHIM_KEY_COUNT; i++) io.KeyMap[keys[i]] = i;
  ImGui::StyleColorsDark();
  ImGuiStyle &style = ImGui::GetStyle();
  style.WindowRounding = 0;
  style.WindowBorderSize = 0;
  style.AntiAliasedLinesUseTex = false;
  style.Colors[ImGuiCol_WindowBg] = ImVec4(0.09f, 0.10f, 0.11f, 0.94f);
  return true;
}

void shim_close(void) {
  if (ImGui::GetCurrentContext() == nullptr) return;
  ImGui::DestroyContext();
  shim_ranges.clear();
}

static void shim_add_ranges(const char *const *texts, uint32_t text_count) {
  ImFontGlyphRangesBuilder builder;
  static const ImWchar latin[] = {0x20, 0xFF, 0x2026, 0x2026, 0x2212, 0x2212, 0x25A1, 0x25A1, 0};
  builder.AddRanges(latin);
  for (uint32_t i = 0; i < text_count; i++) builder.AddText(texts[i]);
  shim_ranges.clear();
  builder.BuildRanges(&shim_ranges);
}

void shim_make_font(const char *font_file, float size_px, const char *const *texts, uint32_t text_count,
                    shim_atlas *atlas) {
  ImFontAtlas *fonts = ImGui::GetIO().Fonts;
  fonts->Clear();
  fonts->Flags |= ImFontAtlasFlags_NoBakedLines;
  shim_add_ranges(texts, text_count);
  ImFont *font = nullptr;
  if (font_file != nullptr) {
    ImFontConfig config;
    config.OversampleH = 2;
    config.EllipsisChar = (ImWchar)0x2026;
    font = fonts->AddFontFromFileTTF(font_file, size_px, &config, shim_ranges.Data);
  }
  if (font == nullptr) fonts->AddFontDefault();
  unsigned char *alpha = nullptr;
  fonts->GetTexDataAsAlpha8(&alpha, &atlas->width, &atlas->height);
  if (font != nullptr && font->FindGlyphNoFallback((ImWchar)0x25A1) != nullptr) {
    font->FallbackChar = (ImWchar)0x25A1;
    font->BuildLookupTable();
  }
  atlas->alpha = alpha;
  fonts->SetTexID((ImTextureID)(intptr_t)1);
}

bool shim_has_glyphs(const char *text) {
  const ImFont *font = ImGui::GetIO().Fonts->Fonts[0];
  for (const char *at = text; *at != 0;) {
    unsigned codepoint = 0;
    at += ImTextCharFromUtf8(&codepoint, at, nullptr);
    if (codepoint >= 0x20 && codepoint != IM_UNICODE_CODEPOINT_INVALID &&
        font->FindGlyphNoFallback((ImWchar)codepoint) == nullptr)
      return false;
  }
  return true;
}

// -- A frame ----------------------------------------------------------------------------------------------------------

void shim_begin_frame(const shim_input *input) {
  ImGuiIO &io = ImGui::GetIO();
  io.DisplaySize = ImVec2(input->width, input->height);
  io.DeltaTime = input->dt_s > 0 ? input->dt_s : 1e-4f;
  io.MousePos = ImVec2(input->mouse[0], input->mouse[1]);
  for (int i = 0; i < 3; i++) io.MouseDown[i] = input->buttons[i];
  io.MouseWheel = input->wheel;
  for (int i = 0; i < SHIM_KEY_COUNT; i++) io.KeysDown[i] = input->keys[i];
  io.KeyShift = input->has_shift;
  io.KeyCtrl = input->has_control;
  ImGui::NewFrame();
}

void shim_add_character(uint32_t codepoint) { ImGui::GetIO().AddInputCharacter(codepoint); }
void shim_end_frame(void) { ImGui::Render(); }
bool shim_wants_mouse(void) { return ImGui::GetIO().WantCaptureMouse; }
bool shim_wants_keys(void) { return ImGui::GetIO().WantCaptureKeyboard; }

uint32_t shim_list_count(void) { return (uint32_t)ImGui::GetDrawData()->CmdListsCount; }

shim_list shim_get_list(uint32_t list) {
  const ImDrawList *from = ImGui::GetDrawData()->CmdLists[list];
  shim_list out = {from->VtxBuffer.Data, from->IdxBuffer.Data, (uint32_t)from->VtxBuffer.Size,
                   (uint32_t)from->IdxBuffer.Size, (uint32_t)from->CmdBuffer.Size};
  return out;
}

shim_run shim_get_run(uint32_t list, uint32_t run) {
  const ImDrawCmd *from = &ImGui::GetDrawData()->CmdLists[list]->CmdBuffer[(int)run];
  shim_run out = {{from->ClipRect.x, from->ClipRect.y, from->ClipRect.z, from->ClipRect.w},
                  from->ElemCount,
                  from->IdxOffset,
                  from->VtxOffset};
  return out;
}

// -- Text and shapes --------------------------------------------------------------------------------------------------

static ImU32 shim_colour_of(shim_colour colour) {
  return IM_COL32(colour >> 24, colour >> 16 & 255, colour >> 8 & 255, colour & 255);
}

void shim_draw_text(float x, float y, shim_colour colour, const char *text) {
  ImGui::GetForegroundDrawList()->AddText(ImVec2(x, y), shim_colour_of(colour), text);
}

void shim_draw_box(float x, float y, float width, float height, shim_colour colour) {
  ImGui::GetForegroundDrawList()->AddRectFilled(ImVec2(x, y), ImVec2(x + width, y + height), shim_colour_of(colour));
}

float shim_text_width(const char *text, uint32_t byte_count) {
  return ImGui::CalcTextSize(text, text + byte_count, false).x;
}

float shim_line_height(void) { return ImGui::GetTextLineHeight(); }

// -- Panels and widgets -----------------------------------------------------------------------------------------------

void shim_begin_panel(const char *id, float x, float y, float width, float height) {
  ImGui::SetNextWindowPos(ImVec2(x, y));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings);
}

void shim_end_panel(void) { ImGui::End(); }
void shim_begin_list(const char *id, float height) { ImGui::BeginChild(id, ImVec2(0, height)); }
void shim_end_list(void) { ImGui::EndChild(); }
void shim_text(const char *text) { ImGui::TextUnformatted(text); }

void shim_text_coloured(shim_colour colour, const char *text) {
  ImGui::PushStyleColor(ImGuiCol_Text, shim_colour_of(colour));
  ImGui::TextUnformatted(text);
  ImGui::PopStyleColor();
}

void shim_text_wrapped(shim_colour colour, const char *text) {
  ImGui::PushTextWrapPos(0);
  shim_text_coloured(colour, text);
  ImGui::PopTextWrapPos();
}

void shim_pair(const char *left, const char *right) {
  ImGui::TextUnformatted(left);
  ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize(right).x);
  ImGui::TextUnformatted(right);
}

void shim_separator(void) { ImGui::Separator(); }
void shim_same_line(float x) { ImGui::SameLine(x); }
bool shim_checkbox(const char *label, bool *value) { return ImGui::Checkbox(label, value); }
bool shim_button(const char *label) { return ImGui::Button(label); }

/// The end of a name, behind an ellipsis, as much as fits: names of one family differ at their ends.
static const char *shim_cut(const char *name, float width, char *out, size_t capacity) {
  if (ImGui::CalcTextSize(name).x <= width) return name;
  while (*name != 0) {
    do name++;
    while (((unsigned char)*name & 0xC0) == 0x80);
    ImFormatString(out, capacity, "\xE2\x80\xA6%s", name);
    if (ImGui::CalcTextSize(out).x <= width) break;
  }
  return out;
}

/// A name in a box of its own, and whole in a tip.
static void shim_name(const char *name, bool is_marked, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight();
  char cut[600];
  ImGui::InvisibleButton("name", ImVec2(width, height));
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", name);
  const ImU32 colour = is_marked ? IM_COL32(255, 196, 90, 255) : ImGui::GetColorU32(ImGuiCol_Text);
  ImGui::GetWindowDrawList()->AddText(ImVec2(at.x, at.y + ImGui::GetStyle().FramePadding.y), colour,
                                      shim_cut(name, width - 6, cut, sizeof cut));
}

bool shim_slider_row(uint32_t id, const char *name, bool is_marked, float *value, float low, float high,
                     bool *is_reset) {
  ImGui::PushID((int)id);
  const float room = ImGui::GetContentRegionAvail().x, number = 44, slider = room * 0.30f;
  shim_name(name, is_marked, room - slider - number);
  *is_reset = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0);
  ImGui::SameLine(0, 0);
  ImGui::SetNextItemWidth(slider);
  const bool is_moved = ImGui::SliderFloat("##value", value, low, high, "");
  char text[32];
  ImFormatString(text, sizeof text, "%.2f", *value == 0 ? 0.0 : (double)*value);
  ImGui::SameLine(ImGui::GetCursorStartPos().x + room - ImGui::CalcTextSize(text).x);
  ImGui::TextUnformatted(text);
  ImGui::PopID();
  return is_moved;
}

bool shim_slider_wide(const char *id, float *value, float low, float high, const char *text) {
  const float room = ImGui::GetContentRegionAvail().x, wide = ImGui::CalcTextSize(text).x + 10;
  ImGui::SetNextItemWidth(room - wide);
  const bool is_moved = ImGui::SliderFloat(id, value, low, high, "", ImGuiSliderFlags_NoInput);
  ImGui::SameLine(0, 10);
  ImGui::TextUnformatted(text);
  return is_moved;
}

bool shim_search(const char *id, const char *hint, char *text, uint32_t capacity) {
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  return ImGui::InputTextWithHint(id, hint, text, capacity);
}

bool shim_choice(const char *label, uint32_t *choice, uint32_t count, const char *(*name)(void *user, uint32_t i),
                 void *user) {
  bool is_changed = false;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
  ImGui::SameLine(ImGui::GetContentRegionMax().x * 0.36f);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  ImGui::PushID(label);
  if (ImGui::BeginCombo("##choice", *choice < count ? name(user, *choice) : "")) {
    for (uint32_t i = 0; i < count; i++) {
      ImGui::PushID((int)i);
      if (ImGui::Selectable(name(user, i), i == *choice)) {
        *choice = i;
        is_changed = true;
      }
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  ImGui::PopID();
  return is_changed;
}

} // extern "C"
