import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from '../errors.ts'
import type { TSchema } from './type.ts'

/** Where an operation behaves as another product does, so that its clients need not be changed. */
export interface ForeignManners {
  /** Whether the path stands beside `/api` rather than below it. */
  readonly atRoot: boolean
  /**
   * The token of a request that carries it in that product's way; undefined where the request may carry a `Bearer`
   * token.
   */
  tokenOf(request: { readonly headers: IncomingHttpHeaders; readonly query: unknown }): string | undefined
  /** What those clients read of a refusal, put over the members of the problem; undefined leaves one out. */
  problemMembers(
    problem: Problem,
    request: { readonly headers: IncomingHttpHeaders }
  ): Readonly<Record<string, unknown>>
  readonly problemType: string
  /** Media types, beside `application/json`, under which clients of that product send JSON. */
  readonly bodyTypes?: readonly string[]
  /** The media type of answers, where it is not `application/json`. */
  readonly answerType?: string
  readonly problemSchema: TSchema
}
