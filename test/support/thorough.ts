/**
 * How many of something a long suite tries. CI has three quarters of an hour for everything, on a machine that may be busy with other
 * things; `npm run test:thorough` takes the time for more.
 */
export const tries = (inCi: number, thorough: number): number => (process.env.THOROUGH === 'true' ? thorough : inCi)
