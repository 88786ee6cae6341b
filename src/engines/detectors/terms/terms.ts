/** What names of columns say about a kind. */
export interface Terms {
  /**
   * Words, or some in a row, as a language writes them, with commas between; with a star also what only begins or ends so.
   * Words of languages that write without blanks count where a word ends so: what stands last there is what it is about.
   */
  readonly for: readonly string[]
  readonly against?: readonly string[]
  /** Words that say it where the name ends with them, or begins with them, whatever else there is against it. */
  readonly lastly?: readonly string[]
  readonly firstly?: readonly string[]
  /** Words that say it alone, and where all others of the name are among those that may stand beside them, or are of the two lists above. */
  readonly alone?: readonly string[]
  readonly beside?: readonly string[]
}
