import { SourceError } from '../errors.ts'
import { TooLargeAnswer } from '../machines/api.ts'
import type { Span } from './client.ts'

const FIRST_MS = 60_000
const LARGEST_MS = 7 * 86_400_000
/** Windows grow while they have fewer samples than this, and shrink when they have more than that. */
const [FEW, MANY] = [5000, 50_000]

/** What `ask` answers for one window after the other, each as long as what is in it permits. */
export async function* windows<T>(
  { fromMs, toMs }: Span,
  ask: (span: Span) => Promise<T>,
  sizeOf: (answer: T) => number
): AsyncGenerator<T> {
  let length = FIRST_MS
  for (let from = fromMs; from <= toMs; ) {
    const span = { fromMs: from, toMs: Math.min(toMs, from + length - 1) }
    let answer: T
    try {
      answer = await ask(span)
    } catch (error) {
      if (!(error instanceof TooLargeAnswer)) throw error
      if (length === 1)
        throw new SourceError('bad_request', 'The metric has more series than one answer holds, all at the same time')
      length = Math.max(1, Math.floor(Math.min(length, span.toMs - span.fromMs + 1) / 4))
      continue
    }
    yield answer
    from = span.toMs + 1
    const size = sizeOf(answer)
    if (size < FEW) length = Math.min(LARGEST_MS, length * 2)
    else if (size > MANY) length = Math.max(1, Math.floor(length / 2))
  }
}
