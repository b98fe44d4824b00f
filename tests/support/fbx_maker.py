"""FBX files in their text form, written object by object. Ids are the caller's; matrices are rows of four, and points
are rows too (the translation is the last row), as FBX has it."""

IDENTITY = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
TICKS_PER_SECOND = 46186158000
ENUMERATIONS = ('RotationOrder', 'InheritType')


def moved(x, y, z):
    return IDENTITY[:12] + (x, y, z, 1)


def scaled(x, y, z):
    return (x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1)


def numbers(name, values):
    return '%s: *%d {\na: %s\n}\n' % (name, len(values), ','.join(repr(value) for value in values))


def properties(values):
    """Properties70: numbers and triples by name."""
    rows = []
    for name, value in values.items():
        parts = value if isinstance(value, (tuple, list)) else (value,)
        kind = ('"Vector3D", "Vector"' if len(parts) == 3 else
                '"enum", ""' if name in ENUMERATIONS else
                '"int", "Integer"' if name.endswith(('Axis', 'AxisSign')) else '"double", "Number"')
        rows.append('P: "%s", %s, "",%s\n' % (name, kind, ','.join(repr(part) for part in parts)))
    return 'Properties70: {\n%s}\n' % ''.join(rows)


class Scene:
    def __init__(self, unit_cm=100, up=1, front=2, coord=0, signs=(1, 1, 1), version=7400):
        self.settings = {'UpAxis': up, 'UpAxisSign': signs[0], 'FrontAxis': front, 'FrontAxisSign': signs[1],
                         'CoordAxis': coord, 'CoordAxisSign': signs[2], 'UnitScaleFactor': unit_cm}
        self.version, self.objects, self.links, self.templates = version, [], [], ''

    def add(self, kind, number, name, subtype, body):
        self.objects.append('%s: %d, "%s", "%s" {\n%s}\n' % (kind, number, name, subtype, body))
        return number

    def connect(self, child, parent, property_name=None):
        to = '' if property_name is None else ', "%s"' % property_name
        self.links.append('C: "%s",%d,%d%s\n' % ('OO' if property_name is None else 'OP', child, parent, to))

    def model(self, number, name, parent=0, subtype='LimbNode', geometry=None, **values):
        """A node. Names of properties: Lcl_Translation stands for "Lcl Translation"."""
        said = properties({key.replace('_', ' '): value for key, value in values.items()})
        self.add('Model', number, 'Model::' + name, subtype, 'Version: 232\n' + said)
        self.connect(number, parent)
        if geometry is not None:
            self.connect(geometry, number)
        return number

    def mesh(self, number, name, vertices, polygons=None, body=''):
        """Polygons are lists of vertices; without them, one polygon of all vertices."""
        polygons = [list(range(len(vertices)))] if polygons is None else polygons
        corners = [point for polygon in polygons for point in polygon[:-1] + [-polygon[-1] - 1]]
        flat = [value for vertex in vertices for value in vertex]
        return self.add('Geometry', number, 'Geometry::' + name, 'Mesh',
                        numbers('Vertices', flat) + numbers('PolygonVertexIndex', corners) + body)

    def skin(self, number, geometry):
        self.add('Deformer', number, 'Deformer::Skin', 'Skin', 'Version: 101\n')
        self.connect(number, geometry)
        return number

    def cluster(self, number, skin, bone, weights, transform=IDENTITY, link=IDENTITY, name='Cluster'):
        """Weights by control point. transform: mesh to bone; link: bone to scene; None: left out of the file."""
        body = 'Version: 100\n' + numbers('Indexes', list(weights)) + numbers('Weights', list(weights.values()))
        body += '' if transform is None else numbers('Transform', transform)
        body += '' if link is None else numbers('TransformLink', link)
        self.add('Deformer', number, 'SubDeformer::' + name, 'Cluster', body)
        self.connect(number, skin)
        if bone is not None:
            self.connect(bone, number)
        return number

    def bind_pose(self, number, matrices):
        """Matrices of nodes, by id."""
        nodes = ''.join('PoseNode: {\nNode: %d\n%s}\n' % (node, numbers('Matrix', matrix))
                        for node, matrix in matrices.items())
        return self.add('Pose', number, 'Pose::Bind', 'BindPose',
                        'Type: "BindPose"\nVersion: 100\nNbPoseNodes: %d\n%s' % (len(matrices), nodes))

    def clip(self, number, name, seconds=1):
        """A stack and its layer, whose id is one more."""
        self.add('AnimationStack', number, 'AnimStack::' + name, '',
                 properties({'LocalStart': 0, 'LocalStop': seconds * TICKS_PER_SECOND}))
        self.add('AnimationLayer', number + 1, 'AnimLayer::Base', '', '')
        self.connect(number + 1, number)
        return number + 1

    def curve(self, number, layer, node, property_name, keys):
        """Straight lines between keys: by component, values by seconds. Takes an id more for each component."""
        self.add('AnimationCurveNode', number, 'AnimCurveNode::', '', '')
        self.connect(number, layer)
        self.connect(number, node, property_name)
        for i, (component, values) in enumerate(keys.items()):
            times = [round(time * TICKS_PER_SECOND) for time in values]
            self.add('AnimationCurve', number + 1 + i, 'AnimCurve::', '',
                     'KeyVer: 4008\n' + numbers('KeyTime', times) + numbers('KeyValueFloat', list(values.values())) +
                     numbers('KeyAttrFlags', [4]) + numbers('KeyAttrDataFloat', [0, 0, 0, 0]) +
                     numbers('KeyAttrRefCount', [len(times)]))
            self.connect(number + 1 + i, number, 'd|' + component)

    def text(self):
        return ('; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXVersion: %d\n}\nGlobalSettings: {\n%s}\n'
                'Definitions: {\nVersion: 100\nCount: 0\n%s}\nObjects: {\n%s}\nConnections: {\n%s}\n'
                % (self.version, properties(self.settings), self.templates, ''.join(self.objects),
                   ''.join(self.links)))
