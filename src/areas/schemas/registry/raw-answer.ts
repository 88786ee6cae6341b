import { StreamAnswer } from '../../../http/route.ts'
import { REGISTRY_TYPE } from './manners.ts'

/** A text as it is: not always JSON, although the registry says so. */
export function rawAnswer(text: string): StreamAnswer {
  return new StreamAnswer(REGISTRY_TYPE, once(text))
}

async function* once(text: string): AsyncIterable<string> {
  yield text
}
