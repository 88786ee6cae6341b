/** Something that health tells as it is: its message is for anybody, and names nobody and no place. A `cause` goes to the log. */
export class HealthProblem extends Error {}
