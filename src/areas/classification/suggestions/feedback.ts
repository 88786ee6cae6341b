import type { Kind } from '../../../engines/detectors/index.ts'

/** What counts as accepted twice before anybody has decided, so that one rejection alone does not silence a kind. */
const CREDIT = 2

interface Decisions {
  readonly column_words: string
  readonly kind: Kind
  readonly status: string
  readonly decisions: number
}

/**
 * What people made of earlier suggestions lowers the confidence of new ones: for columns whose names have the same words,
 *
 *     confidence × (accepted + 2) / (accepted + rejected + 2)
 *
 * over all data. One rejection leaves two thirds, two leave half, and each acceptance brings some of it back.
 */
export class Feedback {
  readonly #counts = new Map<string, { accepted: number; rejected: number }>()

  constructor(decisions: readonly Decisions[]) {
    for (const { column_words, kind, status, decisions: count } of decisions) {
      const counts = this.#counts.getOrInsertComputed(keyOf(column_words, kind), () => ({ accepted: 0, rejected: 0 }))
      if (status === 'accepted') counts.accepted += Number(count)
      if (status === 'rejected') counts.rejected += Number(count)
    }
  }

  lowered(confidence: number, words: string, kind: Kind): number {
    const { accepted, rejected } = this.#counts.get(keyOf(words, kind)) ?? { accepted: 0, rejected: 0 }
    return (confidence * (accepted + CREDIT)) / (accepted + rejected + CREDIT)
  }
}

const keyOf = (words: string, kind: Kind) => `${kind} ${words}`
