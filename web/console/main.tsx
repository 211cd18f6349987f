import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queries } from './session/api.ts'
import { router } from './app/router.ts'
import { loadTexts } from './app/texts.ts'
import { startTheme } from './frame/theme.ts'
import { startSession } from './session/session.ts'
import { startWords } from './words/words.ts'

startTheme()
startSession()
await startWords()
await loadTexts('frame')
createRoot(document.querySelector('#console') as HTMLElement).render(
  <CSPProvider disableStyleElements>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </CSPProvider>,
)
