import { Channel, type ChannelMessage } from '../../../engines/channel.ts'
import { NodeFault } from '../contract/context.ts'

interface SentFault {
  readonly kind: NodeFault['kind']
  readonly code: string
  readonly message: string
  readonly nodeId: string | undefined
}

/** One end of the calls between the server and a host, in both directions over one channel. */
export type Calls<Theirs extends object> = Channel<Theirs, SentFault>

export function openCalls<Theirs extends object>(
  post: (message: ChannelMessage) => void,
  serves: object
): Calls<Theirs> {
  return new Channel({ post, serves, faults: { toSent: toSentFault, toError: toNodeFault } })
}

function toSentFault(error: unknown): SentFault {
  if (error instanceof NodeFault) {
    const { kind, code, message, nodeId } = error
    return { kind, code, message, nodeId }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'transient', code: 'unexpected', message, nodeId: undefined }
}

function toNodeFault({ kind, code, message, nodeId }: SentFault): NodeFault {
  const fault = new NodeFault(kind, code, message)
  fault.nodeId = nodeId
  return fault
}
