export { drawDashboard, type PlacedPanel } from './dashboard.ts'
export { PictureError, type PictureFault } from './errors.ts'
export { PictureMaker } from './maker/picture-maker.ts'
export { drawPanel } from './panel.ts'
export type {
  Annotation,
  Cell,
  Frame,
  LineageEdge,
  LineageNode,
  PanelOptions,
  PanelPicture,
  PanelType,
  PictureColumn,
  PictureSize,
  ThemeName,
  Threshold,
  TimeRange
} from './picture.ts'
