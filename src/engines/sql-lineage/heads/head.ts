/** A statement that writes, as queries that can be read by themselves. */
export interface Head {
  readonly target: readonly string[]
  readonly parts: readonly HeadPart[]
}

export interface HeadPart {
  /** A SELECT. Where `readsTarget`, the table that is written stands first in its FROM. */
  readonly sql: string
  readonly readsTarget: boolean
  /** The columns of the target that those of the SELECT go to; null: it decides about rows alone. */
  readonly columns: readonly string[] | 'by name' | 'in order' | null
}

/** Lines, so that a comment at the end of one hides nothing of the next. */
export const lines = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n')
