/** The four papers at work: a live figure of each beside its tables, whose rows are measured on this machine. */
import type { ComponentType } from 'preact';
import { PAPERS, type Paper } from '../../../../engine/index.ts';
import { Page } from '../../../controls/dialog.tsx';
import { Tabs } from '../../../controls/buttons.tsx';
import { useLaboratory } from '../../../page/laboratory.ts';
import { papersOf } from '../papers-state.ts';
import { GainCovarianceFigure } from './gain-covariance.tsx';
import { LetkfFigure } from './letkf.tsx';
import { PaperTable } from './paper-table.tsx';
import './papers.css';
import { RecursiveFilterFigure } from './recursive-filter.tsx';
import { SeparableConvolutionFigure } from './separable-convolution.tsx';
import { useEffect } from 'preact/hooks';

const FIGURES: Readonly<Record<Paper['id'], ComponentType>> = {
  'recursive-filter': RecursiveFilterFigure,
  'separable-convolution': SeparableConvolutionFigure,
  letkf: LetkfFigure,
  'gain-covariance': GainCovarianceFigure,
};

const TABS = PAPERS.map(({ id, subject }) => ({ id, title: subject }));

export function PapersPage() {
  const laboratory = useLaboratory();
  const { chosen, rest } = papersOf(laboratory);
  useEffect(() => rest, [rest]);
  const paper = PAPERS.find(({ id }) => id === chosen.value) ?? PAPERS[0];
  const LiveFigure = FIGURES[paper.id];
  return (
    <Page title="The four papers" class="papers" onClose={laboratory.overlays.closeOverlay}>
      <Tabs
        label="Papers"
        tabs={TABS}
        chosen={paper.id}
        onChoose={(id) => {
          chosen.value = id;
        }}
      >
        <div class="papers-head">
          <p>{paper.summary}</p>
          <p class="label">
            {paper.authors.join(', ')}
            {paper.publication !== '' && `. ${paper.publication}`}
          </p>
        </div>
        <div class="papers-panes">
          <section class="papers-live" aria-label={`${paper.subject}, live`}>
            <LiveFigure key={paper.id} />
          </section>
          <PaperTable key={paper.id} paper={paper} />
        </div>
      </Tabs>
    </Page>
  );
}
