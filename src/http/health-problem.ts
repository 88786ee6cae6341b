/** A problem that health shows to anybody: its message names no user, host or folder. A `cause` goes to the log. */
export class HealthProblem extends Error {}
