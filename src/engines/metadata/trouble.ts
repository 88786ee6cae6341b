/** What is wrong with a database as such, in words that are fit for anybody: they name no place. */
export class DatabaseTrouble extends Error {}
