export { keptReaders } from './kept-readers.ts'
