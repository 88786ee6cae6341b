import { Problem } from '../../../errors.ts'

/** Why something can’t be shown, in words for whoever looks at it. */
export interface Failure {
  readonly code: string
  readonly detail: string
}

export function failureOf(error: unknown, log: { error(facts: object, message: string): void }): Failure {
  if (error instanceof Problem) {
    const fields = error.errors?.map(({ pointer, message }) => `${pointer} ${message}`) ?? []
    return { code: error.code, detail: fields.length > 0 ? `${fields.join('; ')}.` : error.detail }
  }
  log.error({ err: error }, 'a panel can’t be read')
  return { code: 'internal_error', detail: 'It can’t be read, for a reason that is in the log of the server.' }
}
