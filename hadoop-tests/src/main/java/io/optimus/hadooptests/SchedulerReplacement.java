package io.optimus.hadooptests;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Replaces CapacityScheduler by another scheduler class in compiled tests.
 *
 * <p>Replaced is what decides which class of object is made: {@code new CapacityScheduler()}, {@code
 * CapacityScheduler::new}, {@code extends CapacityScheduler}, {@code CapacityScheduler.class} and the string with its
 * name. The types of fields, variables and methods stay: the other class is a subclass.
 */
final class SchedulerReplacement {
    static final String CAPACITY_SCHEDULER =
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler";

    private static final String REPLACED = CAPACITY_SCHEDULER.replace('.', '/');

    private final String schedulerClass;
    private final String replacing;

    /** @param schedulerClass full name of a subclass of CapacityScheduler */
    SchedulerReplacement(String schedulerClass) {
        this.schedulerClass = schedulerClass;
        this.replacing = schedulerClass.replace('.', '/');
    }

    /** The class file with the other scheduler. */
    byte[] apply(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new Replacing(writer), 0);
        return writer.toByteArray();
    }

    private String type(String internalName) {
        return internalName.equals(REPLACED) ? replacing : internalName;
    }

    private Object constant(Object value) {
        if (value instanceof Type type && type.getSort() == Type.OBJECT) {
            return Type.getObjectType(type(type.getInternalName()));
        }
        if (value instanceof Handle handle && handle.getTag() == Opcodes.H_NEWINVOKESPECIAL) {
            return new Handle(
                    handle.getTag(), type(handle.getOwner()), handle.getName(), handle.getDesc(), handle.isInterface());
        }
        return value.equals(CAPACITY_SCHEDULER) ? schedulerClass : value;
    }

    private final class Replacing extends ClassVisitor {
        Replacing(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visit(
                int version, int access, String name, String signature, String superName, String[] interfaces) {
            super.visit(version, access, name, signature, type(superName), interfaces);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            return new ReplacingInMethod(super.visitMethod(access, name, descriptor, signature, exceptions));
        }
    }

    private final class ReplacingInMethod extends MethodVisitor {
        ReplacingInMethod(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            super.visitTypeInsn(opcode, opcode == Opcodes.NEW ? type(type) : type);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            // Calls of constructors, and of methods of a superclass.
            super.visitMethodInsn(
                    opcode, opcode == Opcodes.INVOKESPECIAL ? type(owner) : owner, name, descriptor, isInterface);
        }

        @Override
        public void visitLdcInsn(Object value) {
            super.visitLdcInsn(constant(value));
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            Object[] replaced = new Object[arguments.length];
            for (int i = 0; i < arguments.length; i++) {
                replaced[i] = constant(arguments[i]);
            }
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, replaced);
        }
    }
}
