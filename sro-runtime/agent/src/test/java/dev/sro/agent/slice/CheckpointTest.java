package dev.sro.agent.slice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.agent.device.PciAddress;
import dev.sro.agent.file.Effects;
import dev.sro.agent.file.FakeDisk;
import dev.sro.agent.file.LocalDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {
    private static final Path FILE = Path.of("/var/lib/sro/checkpoint");
    private static final Holding FIRST = Holding.begin(
                    new ClaimRef("uid-1", "default", "train \"x\"\n"),
                    "gpu-0000-10-00-0-3g-20gb-4",
                    new Place(PciAddress.of("0000:10:00.0"), "3g.20gb", 9, 4, 4))
            .bare()
            .owned(2)
            .ready(0, "MIG-1");
    private static final Holding SECOND = Holding.begin(
                    new ClaimRef("uid-2", "default", "web"),
                    "gpu-0000-11-00-0-1g-5gb-0",
                    new Place(PciAddress.of("0000:11:00.0"), "1g.5gb", 19, 0, 1))
            .bare();

    private static FakeDisk disk(Effects effects, long seed) {
        return new FakeDisk(effects, new SplittableRandom(seed));
    }

    @Test
    void whatWasWrittenIsReadAgainFromARealFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("state").resolve("checkpoint");
        Checkpoint.open(new LocalDisk(), file, "boot").put(FIRST);
        Checkpoint.open(new LocalDisk(), file, "boot").put(SECOND);

        Checkpoint read = Checkpoint.open(new LocalDisk(), file, "boot");
        assertThat(read.all()).containsExactly(FIRST, SECOND);
        read.remove(FIRST);
        assertThat(Checkpoint.open(new LocalDisk(), file, "boot").all()).containsExactly(SECOND);
    }

    /** Also where the boot id is the same, which a loss of power changes: the file is the old one or the new one. */
    @Test
    void aLossOfPowerAtAnyByteLeavesTheOldOrTheNew() throws IOException {
        int olds = 0;
        int news = 0;
        for (long seed = 0; seed < 2_000; seed++) {
            Effects effects = new Effects();
            FakeDisk disk = disk(effects, seed);
            Checkpoint checkpoint = Checkpoint.open(disk, FILE, "boot");
            checkpoint.put(FIRST);
            effects.killAfter(seed % 5);
            try {
                checkpoint.put(SECOND);
            } catch (Effects.Killed e) {
                assertThat(e).hasMessage("kill -9");
            }
            effects.spare();
            disk.losePower();

            List<Holding> read = Checkpoint.open(disk, FILE, "boot").all();
            assertThat(read).as("seed %d", seed).isIn(List.of(FIRST), List.of(FIRST, SECOND));
            olds += read.size() == 1 ? 1 : 0;
            news += read.size() == 2 ? 1 : 0;
        }
        assertThat(olds).isGreaterThan(400);
        assertThat(news).isGreaterThan(400);
    }

    @Test
    void aCheckpointOfAnEarlierBootIsThrownAway() throws IOException {
        FakeDisk disk = disk(new Effects(), 1);
        Checkpoint.open(disk, FILE, "boot-1").put(FIRST);

        Checkpoint read = Checkpoint.open(disk, FILE, "boot-2");
        assertThat(read.all()).isEmpty();
        assertThat(read.notes()).containsExactly("the node was booted since; the checkpoint was thrown away");
    }

    @Test
    void everyDamagedByteIsNoticed() throws IOException {
        byte[] good = CheckpointText.write("boot", List.of(FIRST));
        for (int i = 0; i < good.length; i++) {
            byte[] bad = good.clone();
            bad[i] ^= 0x10;
            assertUnusable(bad);
            assertUnusable(Arrays.copyOf(good, i));
        }
    }

    private static void assertUnusable(byte[] bytes) throws IOException {
        FakeDisk disk = disk(new Effects(), 1);
        disk.write(FILE, bytes);
        try {
            Checkpoint checkpoint = Checkpoint.open(disk, FILE, "boot");
            assertThat(checkpoint.all()).isEmpty();
            assertThat(checkpoint.notes()).singleElement().asString().contains("put aside as " + FILE + ".damaged");
        } catch (IOException e) {
            // The byte that says which agents can read it.
            assertThat(e).hasMessageContaining("newer agent");
        }
    }

    @Test
    void whatANewerAgentWroteIsReadWhereItSaysThatItCanBe() throws IOException {
        String body = new String(CheckpointText.write("boot", List.of(FIRST)), UTF_8);
        String newer =
                body.substring(body.indexOf('\n') + 1).replace("\"stage\"", "\"later\": {\"x\": [1]},\n\"stage\"");
        FakeDisk disk = disk(new Effects(), 1);
        disk.write(FILE, CheckpointText.framed(7, 1, newer));

        assertThat(Checkpoint.open(disk, FILE, "boot").all()).containsExactly(FIRST);
    }

    /** An agent that knows slices alone would take a whole GPU for a slice of a profile that is gone. */
    @Test
    void onlyWholeGpusStopOlderAgents() {
        Holding whole = Holding.begin(
                FIRST.claim(), "gpu-0000-3b-00-0", Place.whole(FIRST.place().gpu()));
        assertThat(new String(CheckpointText.write("boot", List.of(FIRST)), UTF_8))
                .contains(" readable-by=1 ");
        assertThat(new String(CheckpointText.write("boot", List.of(FIRST, whole)), UTF_8))
                .contains(" readable-by=2 ");
    }

    @Test
    void whatOnlyNewerAgentsCanReadStopsThisOne() throws IOException {
        FakeDisk disk = disk(new Effects(), 1);
        disk.write(FILE, CheckpointText.framed(7, 3, "{}"));

        assertThatThrownBy(() -> Checkpoint.open(disk, FILE, "boot"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("needs version 3; this one has 2");
        assertThat(disk.read(FILE)).isPresent();
    }

    @Test
    void aDirectoryThatCannotBeWrittenIsToldAndNothingIsForgotten(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("checkpoint");
        Checkpoint checkpoint = Checkpoint.open(new LocalDisk(), file, "boot");
        checkpoint.put(FIRST);
        Files.createDirectory(directory.resolve(".checkpoint.tmp"));

        assertThatThrownBy(() -> checkpoint.put(SECOND)).isInstanceOf(IOException.class);
        assertThatThrownBy(checkpoint::settle).isInstanceOf(IOException.class);
        assertThat(checkpoint.all()).containsExactly(FIRST);
        Files.delete(directory.resolve(".checkpoint.tmp"));
        checkpoint.settle();
        assertThat(Checkpoint.open(new LocalDisk(), file, "boot").all()).containsExactly(FIRST);
    }
}
