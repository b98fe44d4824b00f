"""The part of JSON Schema that cooker/report/schema uses, so that the tests need nothing but Python."""
import re

KNOWN = {'$schema', '$id', 'title', 'description', 'type', 'properties', 'required', 'additionalProperties', 'items',
         'minItems', 'maxItems', 'minLength', 'maxLength', 'minimum', 'pattern', 'enum', 'const', 'anyOf'}


def is_type(value, name):
    if name == 'null':
        return value is None
    if name == 'boolean':
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    if name == 'integer':
        return isinstance(value, int)
    return isinstance(value, {'number': (int, float), 'string': str, 'array': list, 'object': dict}[name])


def object_faults(value, schema, path):
    properties, extra = schema.get('properties', {}), schema.get('additionalProperties', True)
    for key in schema.get('required', []):
        if key not in value:
            yield '%s: %s is missing' % (path, key)
    for key, member in value.items():
        if key in properties:
            yield from faults(member, properties[key], '%s.%s' % (path, key))
        elif extra is False:
            yield '%s: %s is not in the schema' % (path, key)
        elif isinstance(extra, dict):
            yield from faults(member, extra, '%s.%s' % (path, key))


def faults(value, schema, path='$'):
    """All ways in which value breaks the schema."""
    unknown = set(schema) - KNOWN
    assert not unknown, 'mini_schema does not know %s' % unknown
    types = schema.get('type')
    if types is not None and not any(is_type(value, t) for t in ([types] if isinstance(types, str) else types)):
        yield '%s: %r is no %s' % (path, value, types)
        return
    if 'enum' in schema and value not in schema['enum'] or 'const' in schema and value != schema['const']:
        yield '%s: %r is not allowed' % (path, value)
    if 'anyOf' in schema and all(any(True for _ in faults(value, option, path)) for option in schema['anyOf']):
        yield '%s: %r fits none of the forms' % (path, value)
    if isinstance(value, str):
        if 'pattern' in schema and not re.search(schema['pattern'], value):
            yield '%s: %r has not the form %s' % (path, value, schema['pattern'])
        if not schema.get('minLength', 0) <= len(value) <= schema.get('maxLength', len(value)):
            yield '%s: %r has the wrong length' % (path, value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and value < schema.get('minimum', value):
        yield '%s: %r is too small' % (path, value)
    elif isinstance(value, list):
        if not schema.get('minItems', 0) <= len(value) <= schema.get('maxItems', len(value)):
            yield '%s: %d items' % (path, len(value))
        for number, item in enumerate(value):
            yield from faults(item, schema.get('items', {}), '%s[%d]' % (path, number))
    elif isinstance(value, dict):
        yield from object_faults(value, schema, path)
