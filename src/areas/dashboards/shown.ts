import type { Content } from './model/schema.ts'

/** A dashboard as those see it who draw it: what it is now, or what a snapshot or a share shows of it. */
export interface Shown {
  readonly id: string
  readonly version: number
  readonly content: Content
}
