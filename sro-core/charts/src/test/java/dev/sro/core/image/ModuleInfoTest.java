package dev.sro.core.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModuleInfoTest {

    private static final String RELEASE = "5.14.0-427.13.1.el9_4.x86_64";
    private static final String MAGIC = RELEASE + " SMP preempt mod_unload modversions ";

    @ParameterizedTest
    @CsvSource({"true, LITTLE", "true, BIG", "false, LITTLE", "false, BIG"})
    void aModuleSaysWhatItWasCompiledFor(boolean wide, String order) {
        ByteOrder bytes = order.equals("BIG") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        assertThat(ModuleInfo.kernel(Elf.file(wide, bytes, Elf.modinfo("license=GPL", "\0\0", "vermagic=" + MAGIC))))
                .contains(RELEASE);
    }

    @Test
    void whatHasNoVermagicSaysNothing() {
        assertThat(ModuleInfo.kernel(Elf.file(true, ByteOrder.LITTLE_ENDIAN, Elf.modinfo("license=GPL"))))
                .as("a decoy in another section does not count")
                .isEmpty();
        assertThat(ModuleInfo.kernel(Elf.file(true, ByteOrder.LITTLE_ENDIAN, Elf.modinfo("vermagic="))))
                .isEmpty();
        assertThat(ModuleInfo.kernel(("no module, vermagic=" + MAGIC).repeat(9).getBytes(StandardCharsets.US_ASCII)))
                .isEmpty();
        assertThat(ModuleInfo.kernel(new byte[0])).isEmpty();
    }

    @Property(tries = 500)
    void aDamagedModuleNeverThrows(
            @ForAll @IntRange(max = 400) int at, @ForAll byte value, @ForAll @IntRange(max = 400) int length) {
        byte[] module = Elf.module(MAGIC);
        module[at % module.length] = value;
        assertThat(ModuleInfo.kernel(module)).isNotNull();
        assertThat(ModuleInfo.kernel(Arrays.copyOf(Elf.module(MAGIC), length))).isNotNull();
    }
}
