const deaths: string[] = []

/** Somebody else's server has ended though nothing asked it to. */
export function noteDeath(what: string): void {
  deaths.push(what)
}

/** What was noted since it was asked last. */
export const takeDeaths = (): string[] => deaths.splice(0)
