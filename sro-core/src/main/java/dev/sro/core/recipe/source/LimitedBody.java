package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.core.recipe.chart.ChartException;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The body of an answer; one that is too long is not read to its end. For one use. */
final class LimitedBody implements HttpResponse.BodySubscriber<byte[]> {

    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int limit;
    private final String what;
    private Flow.@Nullable Subscription subscription;

    LimitedBody(int limit, String what) {
        this.limit = limit;
        this.what = what;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            if (bytes.size() + (long) buffer.remaining() > limit) {
                if (subscription != null) {
                    subscription.cancel();
                }
                body.completeExceptionally(new ChartException(new Problem(
                        "UnsafeChart",
                        what + "more than the " + limit + " bytes that are allowed",
                        Problem.Owner.VENDOR,
                        false)));
                return;
            }
            byte[] part = new byte[buffer.remaining()];
            buffer.get(part);
            bytes.writeBytes(part);
        }
    }

    @Override
    public void onError(Throwable cause) {
        body.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
        body.complete(bytes.toByteArray());
    }
}
