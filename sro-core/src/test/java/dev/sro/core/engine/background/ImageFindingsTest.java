package dev.sro.core.engine.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.driver.RegistrySecurity;
import dev.sro.core.driver.RegistryProbe.Finding;
import dev.sro.core.driver.RegistryProbe.Kind;
import dev.sro.core.driver.RegistryProbe.Query;
import dev.sro.core.engine.port.ImageLooks;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.image.RegistrySettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ImageFindingsTest {

    private final TestClock clock = new TestClock();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<String> changed = new ArrayList<>();
    private final Registry registry = new Registry();
    private final ImageFindings book =
            new ImageFindings(new ImageAccess(registry, tasks::add, changed::add, clock, List.of()), "gpu");

    /** Has one image behind a mirror, which works as soon as the settings that were read say so. */
    private static final class Registry implements ImageLooks {
        private boolean mirrored;
        private boolean used;
        private int reads;
        private @Nullable Error error;
        private Kind removal = Kind.UNREACHABLE;

        @Override
        public Finding look(Query query, RegistrySettings settings) {
            if (error != null) {
                throw error;
            }
            return used ? new Finding(Kind.FOUND, "sha256:1", "") : Finding.of(Kind.UNREACHABLE, "away");
        }

        @Override
        public Finding remove(Query query, Collection<String> staying, RegistrySettings settings) {
            return Finding.of(removal, "");
        }

        @Override
        public RegistrySettings settings(String namespace, List<String> pullSecrets) throws IOException {
            reads++;
            used = mirrored;
            return RegistrySettings.NONE;
        }
    }

    private static Query query(String image) {
        return new Query(image, "amd64", Optional.empty(), RegistrySecurity.CHECKED, "ns", List.of("pull"));
    }

    private Kind trip(String... images) {
        Kind last = Kind.UNREAD;
        for (String image : images) {
            last = book.of(query(image), Optional.empty(), "").finding().kind();
        }
        book.settle();
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
        return last;
    }

    @Test
    void aMirrorThatIsConfiguredLaterIsUsed() {
        trip("a");
        assertThat(trip("a")).isEqualTo(Kind.UNREACHABLE);
        registry.mirrored = true;
        clock.advance(Duration.ofMinutes(5));
        trip("a");
        assertThat(trip("a")).isEqualTo(Kind.FOUND);
    }

    @Test
    void looksThatFollowEachOtherReadTheSettingsOnce() {
        trip("a", "b", "c");
        assertThat(registry.reads).isEqualTo(1);
    }

    @Test
    void anErrorIsNotTheEndOfIt() {
        registry.mirrored = true;
        registry.error = new NoClassDefFoundError("x");
        trip("a");
        assertThat(trip("a")).isEqualTo(Kind.UNREACHABLE);
        registry.error = null;
        clock.advance(Duration.ofSeconds(15));
        trip("a");
        assertThat(trip("a")).isEqualTo(Kind.FOUND);
        assertThat(changed).containsExactly("gpu", "gpu");
    }

    @Test
    void aDeletionIsTriedAgainAfterHoursAndForgottenWhenItWasToldOfOnce() {
        for (int i = 0; i < 2; i++) {
            book.remove(query("old"), Set.of());
            book.settle();
            tasks.remove().run();
            clock.advance(ImageFindings.RETRY_REMOVAL.minusSeconds(1));
            assertThat(book.remove(query("old"), Set.of()).kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(book.settle()).isEqualTo(clock.instant().plusSeconds(1));
            assertThat(tasks).isEmpty();
            clock.advance(Duration.ofSeconds(1));
        }
        registry.removal = Kind.MISSING;
        book.remove(query("old"), Set.of());
        book.settle();
        tasks.remove().run();
        assertThat(book.removals()).containsKey("old");
        assertThat(book.settle()).isEqualTo(Instant.MAX);
        assertThat(book.removals()).containsKey("old");
        assertThat(book.removals()).isEmpty();
    }
}
