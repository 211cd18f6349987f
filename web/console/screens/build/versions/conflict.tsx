import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { useWords } from '../../../words/words.ts'
import { Changes } from './changes.tsx'
import { compare } from '../model/compare.ts'
import { useBuild, useBuilder } from '../use-builder.ts'

/** Somebody else saved the survey too: their changes and mine, side by side. */
export function Conflict() {
  const words = useWords()
  const builder = useBuilder()
  const draft = useBuild((state) => state.draft)
  const { stored, theirs } = builder.saver
  if (!theirs) return null
  return (
    <Dialog
      title={words('build:conflict')}
      closeLabel={words('frame:close')}
      closes={false}
      onClose={() => {}}
      className="conflict"
      footer={
        <>
          <Button onClick={() => builder.saver.takeTheirs()}>{words('build:takeTheirs')}</Button>
          <Button look="primary" onClick={() => builder.saver.writeMine()}>
            {words('build:writeMine')}
          </Button>
        </>
      }
    >
      <p className="soft">{words('build:conflictText')}</p>
      <div className="sides">
        <section>
          <h3>{words('build:theirs')}</h3>
          <Changes changes={compare(stored.draft, theirs.draft)} before={stored.draft} after={theirs.draft} />
        </section>
        <section>
          <h3>{words('build:mine')}</h3>
          <Changes changes={compare(stored.draft, draft)} before={stored.draft} after={draft} />
        </section>
      </div>
    </Dialog>
  )
}
