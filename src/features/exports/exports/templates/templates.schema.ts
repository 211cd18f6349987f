import { z } from 'zod'
import { PageQuery, pageOf } from '../../../../http/routes/pagination.ts'
import { checkFilter, DEFINITION, NEW_DEFINITION, SOME_DEFINITION } from '../definition/definition.schema.ts'
import { nameLine } from '../../../../platform/schemas/line-schema.ts'

const name = nameLine(200)

export const CreateExportTemplate = z
  .strictObject({ name, ...NEW_DEFINITION })
  .superRefine(checkFilter)
  .meta({ id: 'CreateExportTemplate' })

export const UpdateExportTemplate = z
  .strictObject({ name: name.optional(), ...SOME_DEFINITION })
  .meta({ id: 'UpdateExportTemplate' })

export const ExportTemplate = z
  .object({
    id: z.string(),
    name: z.string(),
    ...DEFINITION,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'ExportTemplate' })

export const ExportTemplateQuery = PageQuery.strict()
export const ExportTemplateList = pageOf(ExportTemplate).meta({ id: 'ExportTemplateList' })
