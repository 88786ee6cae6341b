/** Something whose condition is told. Where it is vital, the platform is down without it, else degraded. */
export interface HealthCheck {
  readonly name: string
  readonly vital: boolean
  /** Throws what is wrong: a `HealthProblem` or `DatabaseTrouble` is shown to callers as it is. */
  run(): Promise<void>
}
