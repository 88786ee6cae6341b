import { parentPort, workerData } from 'node:worker_threads'
import { SchemaFault } from '../fault.ts'
import { formatOf, type SchemaType } from '../format.ts'
import { runTask } from './tasks.ts'
import { type TaskOrder, typesIn } from './thread.ts'

for (const type of workerData as SchemaType[]) formatOf(type)

parentPort?.on('message', (order: TaskOrder) => {
  // Before it begins: the time to load a format is not counted against the task that happens to need it first.
  for (const type of typesIn(order.input)) formatOf(type)
  parentPort?.postMessage('begin')
  parentPort?.postMessage(outcomeOf(order))
})

function outcomeOf({ name, input, steps }: TaskOrder): object {
  try {
    return { output: runTask(name, input as never, steps) }
  } catch (error) {
    if (!(error instanceof SchemaFault)) return { failure: String((error as Error)?.stack ?? error) }
    return { fault: { kind: error.kind, message: error.message, place: error.place } }
  }
}
