package dev.sro.core.recipe.chart;

import dev.sro.api.Problem;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asks another renderer once for each question and remembers the answer, refusals included, unless they may pass by
 * themselves. Forgets the answers that were not asked for the longest. Thread-safe; while one question is being answered,
 * others that are known are not held up.
 */
public final class CachingRenderer implements ManifestRenderer {

    private record Answer(
            @Nullable RenderedChart chart, @Nullable Problem refusal, long size) {}

    private final ManifestRenderer renderer;
    private final int maxAnswers;
    private final long maxCharacters;
    private final Map<String, Answer> answers = new LinkedHashMap<>(16, 0.75f, true);
    private long characters;

    /**
     * @param renderer who is asked
     * @param maxAnswers how many answers are kept; one chart has one for each pool
     * @param maxCharacters how long all texts together may be
     */
    public CachingRenderer(ManifestRenderer renderer, int maxAnswers, long maxCharacters) {
        this.renderer = renderer;
        this.maxAnswers = maxAnswers;
        this.maxCharacters = maxCharacters;
    }

    @Override
    public RenderedChart render(RenderRequest request) {
        String key = request.digest();
        Answer known;
        synchronized (answers) {
            known = answers.get(key);
        }
        if (known == null) {
            known = ask(request);
            if (known.refusal == null || !known.refusal.retryable()) {
                keep(key, known);
            }
        }
        if (known.refusal != null) {
            throw new ChartException(known.refusal);
        }
        return Objects.requireNonNull(known.chart);
    }

    private Answer ask(RenderRequest request) {
        try {
            RenderedChart chart = renderer.render(request);
            return new Answer(chart, null, chart.size());
        } catch (ChartException e) {
            return new Answer(null, e.problem(), e.problem().message().length());
        }
    }

    private void keep(String key, Answer answer) {
        synchronized (answers) {
            Answer before = answers.put(key, answer);
            characters += answer.size - (before == null ? 0 : before.size);
            Iterator<Answer> oldest = answers.values().iterator();
            while ((answers.size() > maxAnswers || characters > maxCharacters) && oldest.hasNext()) {
                characters -= oldest.next().size;
                oldest.remove();
            }
        }
    }
}
