import { formatNumber } from '../../../words/format.ts'
import { useWords } from '../../../words/words.ts'

/** Rows by place, those with rows first. `withEffect` says beside each what an erasure does there. */
export function Counts({ counts, withEffect }: { counts: Record<string, number>; withEffect: boolean }) {
  const words = useWords()
  const rows = Object.entries(counts).filter(([, count]) => count > 0)
  if (rows.length === 0) return null
  return (
    <table className={`table ${withEffect ? 'tall' : ''}`} aria-label={words('settings:privacy.counts')}>
      <thead>
        <tr>
          <th>{words('settings:privacy.where')}</th>
          <th className="end">{words('settings:privacy.rows')}</th>
        </tr>
      </thead>
      <tbody>
        {rows
          .toSorted(([, a], [, b]) => b - a)
          .map(([store, count]) => (
            <tr key={store}>
              <td className="first">
                <span className="pair">
                  {words(`settings:privacy.stores.${store}`)}
                  {withEffect && <small>{words(`settings:privacy.erases.${store}`)}</small>}
                </span>
              </td>
              <td className="end figure">{formatNumber(count)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
