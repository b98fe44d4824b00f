// node vertices.mjs CASES.json: where three.js puts the vertices of glTF files, against what `mpak eval` says.
//
// CASES.json: [{file, exact, poses: [{clip, time, eval}]}]. clip: number of the animation, or null for the rest; time:
// seconds on the file's own time line; eval: path of eval's JSON, in the order of the file's vertices. exact: a mesh of
// eval is that of the same node and primitive; else the one of the same node, or beyond the pack's nodes, that fits best.
// Prints a line of JSON for each pose: {file, clip, time, distance, size, count}; distance and size in metres; or
// {file, error} where three.js cannot read the file.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AnimationMixer, LoopOnce, Vector3 } from 'three'
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js'
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js'

// -- Files without a browser -----------------------------------------------------------------------------------------

globalThis.ProgressEvent ??= class extends Event {}

/// The JSON of a file and the bytes of its buffers, without its textures.
function readDocument(path) {
  const bytes = readFileSync(path)
  const isGlb = bytes.toString('latin1', 0, 4) === 'glTF'
  const jsonBytes = isGlb ? bytes.readUInt32LE(12) : 0
  const json = JSON.parse(isGlb ? bytes.toString('utf8', 20, 20 + jsonBytes) : bytes.toString('utf8'))
  const ownBytes = isGlb ? bytes.subarray(20 + jsonBytes + 8) : null
  for (const buffer of json.buffers ?? []) {
    if (buffer.uri?.startsWith('data:')) continue
    const data = buffer.uri ? readFileSync(join(dirname(path), decodeURIComponent(buffer.uri))) : ownBytes
    buffer.uri = 'data:application/octet-stream;base64,' + (data ?? Buffer.alloc(0)).toString('base64')
  }
  dropTextures(json)
  return json
}

function dropTextures(json) {
  delete json.images
  delete json.textures
  delete json.samplers
  for (const material of json.materials ?? []) {
    for (const holder of [material, material.pbrMetallicRoughness ?? {}])
      for (const key of Object.keys(holder)) if (key.endsWith('Texture')) delete holder[key]
    delete material.extensions
  }
}

function load(path) {
  const loader = new GLTFLoader()
  loader.setMeshoptDecoder(MeshoptDecoder)
  return new Promise((resolve, reject) => loader.parse(JSON.stringify(readDocument(path)), '', resolve, reject))
}

// -- Vertices --------------------------------------------------------------------------------------------------------

/// What is drawn: {node, primitive, positions}; positions as [x, y, z].
function drawnMeshes(gltf) {
  const found = []
  gltf.scene.updateMatrixWorld(true)
  gltf.scene.traverse(object => {
    if (!object.isMesh) return
    let holder = object
    while (gltf.parser.associations.get(holder)?.nodes === undefined && holder.parent) holder = holder.parent
    const node = gltf.parser.associations.get(holder)?.nodes
    found.push({ node, primitive: gltf.parser.associations.get(object)?.primitives ?? 0, object })
  })
  return found
}

function positionsOf(object) {
  const point = new Vector3()
  const positions = []
  for (let i = 0; i < object.geometry.attributes.position.count; i++) {
    object.getVertexPosition(i, point).applyMatrix4(object.matrixWorld)
    positions.push([point.x, point.y, point.z])
  }
  return positions
}

function pose(gltf, clip, time) {
  const mixer = new AnimationMixer(gltf.scene)
  const action = mixer.clipAction(gltf.animations[clip])
  action.setLoop(LoopOnce)
  action.clampWhenFinished = true
  action.play()
  mixer.setTime(time)
}

// -- Comparison ------------------------------------------------------------------------------------------------------

function largestDistance(found, expected) {
  let largest = 0
  expected.forEach((row, i) => {
    if (row === null) return
    const distance = Math.hypot(...row.map((value, c) => value - found[i][c]))
    if (!(distance <= largest)) largest = distance
  })
  return largest
}

function compare(meshes, evaluated, isExact) {
  const result = { distance: 0, size: 0, count: 0 }
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity]
  const left = meshes.map(mesh => ({ ...mesh, positions: positionsOf(mesh.object) }))
  for (const row of evaluated.meshes) {
    let best = null
    for (const mesh of left) {
      if (mesh.isTaken || mesh.positions.length !== row.positions.length) continue
      if (isExact ? mesh.node !== row.node_index || mesh.primitive !== row.primitive
        : mesh.node !== row.node_number && mesh.node < evaluated.node_count) continue
      const distance = largestDistance(mesh.positions, row.positions)
      if (best === null || distance < best.distance) best = { mesh, distance }
    }
    if (best === null) return { distance: Infinity, size: 1, count: result.count, missing: row.node }
    best.mesh.isTaken = true
    result.distance = Math.max(result.distance, best.distance)
    result.count += row.positions.length
    for (const position of row.positions)
      for (let c = 0; position !== null && c < 3; c++) {
        low[c] = Math.min(low[c], position[c])
        high[c] = Math.max(high[c], position[c])
      }
  }
  result.size = Math.hypot(...high.map((value, c) => value - low[c]))
  return result
}

for (const { file, exact, poses } of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  for (const { clip, time, eval: evalPath } of poses) {
    try {
      const gltf = await load(file)
      if (clip !== null) pose(gltf, clip, time)
      const told = compare(drawnMeshes(gltf), JSON.parse(readFileSync(evalPath, 'utf8')), exact)
      console.log(JSON.stringify({ file, clip, time, ...told }))
    } catch (error) {
      console.log(JSON.stringify({ file, clip, time, error: String(error?.message ?? error) }))
    }
  }
}
