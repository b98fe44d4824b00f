// node validate.mjs FILE…: one line of JSON for each GLB: what gltf-validator says about it. Textures, which lie
// outside of packs, are taken for one white pixel.
import { readFileSync } from 'node:fs'
import validator from 'gltf-validator'

const pixel = Uint8Array.from(Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==', 'base64'))

for (const path of process.argv.slice(2)) {
  const options = { maxIssues: 0, externalResourceFunction: async () => pixel }
  const { numErrors, numWarnings, messages } = (await validator.validateBytes(readFileSync(path), options)).issues
  const errors = messages.filter(message => message.severity === 0).slice(0, 8)
  console.log(JSON.stringify({ path, errors: numErrors, warnings: numWarnings, messages: errors }))
}
