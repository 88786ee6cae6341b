import { createHash, type Hash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { keepCompiledCode } from '../../compiled-code.ts'
import type { HashAnswer, HashRequest, HashSetup } from './hash-threads.ts'

const { memory, blockBytes } = workerData as HashSetup
const hashes = new Map<string, Hash>()

function answer(message: HashAnswer): void {
  parentPort?.postMessage(message)
}

parentPort?.on('message', (request: HashRequest) => {
  const { stream, algorithm } = request
  const name = `${stream} ${algorithm}`
  let hash = hashes.get(name)
  if (hash === undefined) {
    hash = createHash(algorithm)
    hashes.set(name, hash)
  }
  if ('block' in request) {
    hash.update(new Uint8Array(memory, request.block * blockBytes, request.bytes))
    answer({ block: request.block })
    return
  }
  hashes.delete(name)
  if (request.end === 'digest') answer({ stream, algorithm, digest: hash.digest('hex') })
})
keepCompiledCode()
