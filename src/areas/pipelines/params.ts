import { Params } from '../../http/params.ts'
import { Type } from '../../http/type.ts'

/** Parameters of every address that is about one pipeline. */
export const PipelineParams = Params('pipeline', 'id', { id: Type.String({ maxLength: 64 }) })
