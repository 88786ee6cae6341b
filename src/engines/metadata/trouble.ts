/** A problem of the database itself; the message names no host or file, so that anybody may read it. */
export class DatabaseTrouble extends Error {}
