import { parentPort, workerData } from 'node:worker_threads'
import { SchemaFault } from '../fault.ts'
import { formatOf, type SchemaType } from '../format.ts'
import { runTask } from './tasks.ts'
import { type Question, typesIn } from './thread.ts'

for (const type of workerData as SchemaType[]) formatOf(type)

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
