/** The explanation of a post: what it says, its context, what people reply, and its figures. */
import type { Answer, Context } from '../context.ts';
import { attachments, links } from './details.ts';
import { figures, reach } from './figures.ts';
import { reactions } from './replies.ts';
import { article, statement, unknownProfile } from './statement.ts';
import { continued, parent, quote } from './thread.ts';

const maxSentences = 3;

export function explain(context: Context): Answer {
  const unknown = unknownProfile(context);
  return {
    lead: statement(context, maxSentences),
    evidence: [
      ...(unknown === '' ? [] : [unknown]),
      ...parent(context),
      ...quote(context),
      ...article(context, 2),
      ...links(context),
      ...attachments(context),
      ...continued(context, 2),
      ...reactions(context),
    ],
    figures: [...figures(context), ...reach(context)],
  };
}
