import { parentPort, workerData } from 'node:worker_threads'
import { serveCalls } from '../thread-calls.ts'
import { Answers } from './answers.ts'
import { ClickhouseEngine } from './engine.ts'
import { ClickhouseServer } from './server.ts'
import type { ClickhouseSettings } from './settings.ts'

/** The work of this thread: it parses bodies, and reads and formats answers. */
const port = parentPort as NonNullable<typeof parentPort>
const server = new ClickhouseServer(workerData as ClickhouseSettings)
const answers = new Answers(server)
let engine: ClickhouseEngine

const calls = {
  async open() {
    engine = await ClickhouseEngine.open(server)
  },
  write: (request: Parameters<ClickhouseEngine['write']>[0]) => engine.write(request),
  judge: (request: Parameters<ClickhouseEngine['judge']>[0]) => engine.judge(request),
  query: (request: Parameters<Answers['query']>[0]) => answers.query(request),
  next: (id: number) => answers.next(id),
  stop: (id: number) => answers.stop(id),
  tags: (request: Parameters<ClickhouseEngine['tags']>[0]) => engine.tags(request),
  stats: (sourceIds: readonly string[]) => engine.stats(sourceIds),
  drop: (sourceId: string) => engine.drop(sourceId),
  dropTag: (request: Parameters<ClickhouseEngine['dropTag']>[0]) => engine.dropTag(request),
  sweepTag: (request: Parameters<ClickhouseEngine['sweepTag']>[0]) => engine.sweepTag(request),
  retain: (request: Parameters<ClickhouseEngine['retain']>[0]) => engine.retain(request),
  export: (request: Parameters<ClickhouseEngine['export']>[0]) => engine.export(request),
  check: () => engine.check(),
  async close() {
    answers.stopAll()
    await engine?.close()
    await server.close()
    setImmediate(() => port.close())
  }
}

export type ThreadCalls = typeof calls

serveCalls(port, calls, () => 'failed')
