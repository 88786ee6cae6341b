import { SourceError } from '../errors.ts'
import type { Block } from './blocks.ts'

const [ILLEGAL_FUNCTION, ILLEGAL_ADDRESS, ILLEGAL_VALUE] = [1, 2, 3]
const [BUSY, NO_PATH, NO_ANSWER] = [6, 10, 11]

/** Whether the device has no such registers, and may well have others. */
export const isAbsent = (exception: number): boolean =>
  exception === ILLEGAL_FUNCTION || exception === ILLEGAL_ADDRESS || exception === ILLEGAL_VALUE

/** What a device says instead of values. */
export function fromException(exception: number, { table, address, registers }: Block): SourceError {
  const what = `${table} ${address} (${registers[0]?.name})`
  if (isAbsent(exception))
    return new SourceError('not_found', `The device has no ${what}; check its table and address`, '/registers')
  switch (exception) {
    case BUSY:
      return new SourceError('rate_limited', 'The device is busy; read it less often')
    case NO_PATH:
    case NO_ANSWER:
      return new SourceError('unreachable', 'The gateway does not reach the device behind it; check the unit', '/unit')
    default:
      return new SourceError(
        'unavailable',
        `The device fails to read ${what} (exception ${exception}); see its diagnosis`
      )
  }
}
