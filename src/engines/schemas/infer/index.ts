export { shapeOfColumns } from './columns.ts'
export { shapeOfValues } from './values.ts'
