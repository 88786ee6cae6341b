/** A check that health reports. If a vital one fails the platform is down, else degraded. */
export interface HealthCheck {
  readonly name: string
  readonly vital: boolean
  /** Throws what is wrong; the message of a `HealthProblem` or `DatabaseTrouble` is shown to callers. */
  run(): Promise<void>
}
