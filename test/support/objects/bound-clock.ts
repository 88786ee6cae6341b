import type { Clock } from '../../../src/engines/clock.ts'

/** A clock whose functions may be handed on by themselves, as that of the system may. */
export function bound(clock: Clock): Clock {
  return { now: () => clock.now(), iso: () => clock.iso(), after: (ms, callback) => clock.after(ms, callback) }
}
