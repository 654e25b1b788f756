import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The clocks. The system tells a process its CPU time in steps of 10 ms; that of this thread is finer, and so is what the scheduler has counted for the others,
 * which compile and collect, where it tells.
 */
record Times(long own, long elsewhere, long process, long wall) {
    private static final OperatingSystemMXBean SYSTEM = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** What reading takes is not between the two. */
    static Times before() {
        long others = others(), process = SYSTEM.getProcessCpuTime();
        return new Times(THREADS.getCurrentThreadCpuTime(), others, process, System.nanoTime());
    }

    /** CPU and wall nanoseconds. */
    static long[] since(Times before) {
        long wall = System.nanoTime(), own = THREADS.getCurrentThreadCpuTime(), process = SYSTEM.getProcessCpuTime(), others = others();
        boolean isFine = others >= 0 && before.elsewhere >= 0;
        // A thread that has ended takes its time with it.
        long cpu = isFine ? own - before.own + Math.max(0, others - before.elsewhere) : process - before.process;
        return new long[] {cpu, wall - before.wall};
    }

    /** CPU nanoseconds of all threads but this one, or -1. */
    private static long others() {
        long sum = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            Path own = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
            for (Path task : tasks) {
                if (!task.getFileName().equals(own)) {
                    sum += Long.parseLong(Files.readString(task.resolve("schedstat")).split(" ")[0]);
                }
            }
            return sum;
        } catch (IOException | RuntimeException none) {
            return -1;
        }
    }
}
