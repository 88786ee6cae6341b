// Runs the storage part of the Firebase emulators by itself: `node gcs-emulator-main.mjs <firebase-tools>/package.json`.
// Their own command line would first fetch a Java program that checks rules, which the API of Google Cloud Storage never
// asks for.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const PROJECT = 'demo-test'
const HOST = '127.0.0.1'

const require = createRequire(process.argv[2])
const { StorageEmulator } = require('./lib/emulator/storage')
const { createApp } = require('./lib/emulator/storage/server')
const { EmulatorRegistry } = require('./lib/emulator/registry')

// Answers hold links with the port in them, so it has to be known before the emulator is made.
const server = createServer()
server.listen(0, HOST, async () => {
  const { port } = server.address()
  const rules = { name: 'storage.rules', content: '' }
  const emulator = new StorageEmulator({ projectId: PROJECT, host: HOST, port, rules })
  EmulatorRegistry.set('storage', emulator)
  server.on('request', await createApp(PROJECT, emulator))
  console.log(`listening on http://${HOST}:${port}`)
})
