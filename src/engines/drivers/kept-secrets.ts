/** Where the secrets of a configuration are kept, for services that give another in place of one that was used. */
export interface KeptSecrets {
  /** What is kept in a field by now: somebody else may have put another there. Undefined where nothing is. */
  current(field: string): Promise<string | undefined>
  /** Keeps `next` where `before` is kept, and nowhere else. Answers what is kept from then on, and lasts. */
  replace(field: string, before: string, next: string): Promise<string | undefined>
}
