import type { Source } from '../../contract/source.ts'
import type { FeedAnswer } from '../../protocol/protocol.ts'

/** A source that is handed its records, rather than fetching them. */
export interface FedSource extends Source {
  /** Answers once they are committed; refuses as `busy` where too much waits already. */
  feed(body: Uint8Array, requestId: string): Promise<FeedAnswer>
}

export function isFed(source: Source): source is FedSource {
  return 'feed' in source
}
