import { parentPort, workerData } from 'node:worker_threads'
import type { Asked } from '../../channel.ts'
import { keepCompiledCode } from '../../compiled-code.ts'
import { indexFault } from './faults.ts'
import { IndexKeeper } from './index-keeper.ts'
import { layoutOf } from './layout.ts'
import type { FirstAnswer, IndexRequest, NumberedAnswer, ThreadSetup } from './requests.ts'

/** The thread on which the index is changed. */
const port = parentPort as NonNullable<typeof parentPort>
const { folder, abandoned } = workerData as ThreadSetup
const answer = (message: FirstAnswer | readonly NumberedAnswer[]) => port.postMessage(message)

try {
  const keeper = await IndexKeeper.open(layoutOf(folder), abandoned, answer)
  port.on('message', (message: Asked | 'close') => {
    if (message === 'close') void keeper.close().then(() => port.close())
    else keeper.take({ id: message.id, request: message.args[0] as IndexRequest })
  })
  answer('ready')
  keepCompiledCode()
} catch (error) {
  const { code, message } = indexFault(error, 'read')
  answer({ code, message })
}
