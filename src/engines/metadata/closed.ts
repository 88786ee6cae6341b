export class DatabaseClosed extends Error {
  constructor() {
    super('The metadata database is closed: the server is shutting down')
  }
}
