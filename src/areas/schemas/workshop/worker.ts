import { parentPort } from 'node:worker_threads'
import { SchemaFault } from '../formats/fault.ts'
import { SCHEMA_TYPES } from '../formats/format.ts'
import { formatOf } from '../formats/index.ts'
import type { Question } from './bench.ts'
import { runTask } from './tasks.ts'

parentPort?.on('message', (question: Question) => {
  // Not at the expense of whoever happens to be the first to ask for a format.
  for (const type of typesIn(question.input)) formatOf(type)
  parentPort?.postMessage('begin')
  parentPort?.postMessage(answer(question))
})

function answer({ name, input, steps }: Question): object {
  try {
    return { output: runTask(name, input as never, steps) }
  } catch (error) {
    if (!(error instanceof SchemaFault)) return { failure: String((error as Error)?.stack ?? error) }
    return { fault: { kind: error.kind, message: error.message, place: error.place } }
  }
}

function typesIn(input: unknown) {
  const { type, to, candidate, from } = input as Record<string, unknown>
  const named = [type, to, (candidate as { type?: unknown })?.type, (from as { type?: unknown })?.type]
  return SCHEMA_TYPES.filter((one) => named.includes(one))
}
