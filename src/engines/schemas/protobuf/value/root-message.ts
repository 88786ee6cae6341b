import { SchemaFault } from '../../fault.ts'
import type { MessageModel, ProtobufModel } from '../model.ts'

/** What data of a schema are: its first message, as it is for everybody who names no other. */
export function rootMessage({ file }: ProtobufModel): MessageModel {
  const first = file.messages[0]
  if (first === undefined) {
    throw new SchemaFault('unsupported', 'The schema has no message, so there are no data of it; add a message')
  }
  return first
}
