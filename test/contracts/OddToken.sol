// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Real kinds of tokens: each has an unusual permit function, or none.
contract OddToken {
    enum Kind {
        Described,
        Versionless,
        Salted,
        Dai,
        Foreign,
        Unversioned,
        Bytes32Name,
        Frozen,
        FalseApprove,
        AssertApprove
    }

    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant DAI_PERMIT =
        keccak256("Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)");
    bytes32 private constant SALT = keccak256("salt");

    Kind public immutable kind;
    mapping(address account => mapping(address spender => uint256)) public allowance;
    mapping(address account => uint256) public nonces;

    constructor(Kind kind_) {
        kind = kind_;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        require(kind != Kind.Frozen, "frozen");
        bool isChange = amount != 0 && allowance[msg.sender][spender] != 0;
        if (isChange && kind == Kind.FalseApprove) return false;
        if (isChange && kind == Kind.AssertApprove)
            assembly {
                invalid()
            }
        allowance[msg.sender][spender] = amount;
        return true;
    }

    /// A string, except for the kind modelled on Maker's old token, which has bytes32.
    fallback() external {
        require(msg.sig == bytes4(keccak256("name()")), "no such function");
        bytes memory answer = kind == Kind.Bytes32Name
            ? abi.encode(bytes32("Odd"))
            : abi.encode("Odd");
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }

    function version() external view returns (string memory) {
        require(kind != Kind.Versionless && kind != Kind.Unversioned, "no version");
        return "1";
    }

    function PERMIT_TYPEHASH() external view returns (bytes32) {
        return kind == Kind.Dai ? DAI_PERMIT : PERMIT;
    }

    function eip712Domain()
        external
        view
        returns (
            bytes1 fields,
            string memory name_,
            string memory version_,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        )
    {
        require(kind == Kind.Described || kind == Kind.Salted, "not described");
        fields = kind == Kind.Salted ? bytes1(0x1f) : bytes1(0x0f);
        (name_, version_) = ("Described", "7");
        (chainId, verifyingContract, salt) = (block.chainid, address(this), SALT);
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        if (kind == Kind.Salted)
            return
                keccak256(
                    abi.encode(
                        keccak256(
                            "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)"
                        ),
                        keccak256("Described"),
                        keccak256("7"),
                        block.chainid,
                        address(this),
                        SALT
                    )
                );
        if (kind == Kind.Versionless)
            return
                keccak256(
                    abi.encode(
                        keccak256(
                            "EIP712Domain(string name,uint256 chainId,address verifyingContract)"
                        ),
                        keccak256("Odd"),
                        block.chainid,
                        address(this)
                    )
                );
        bool isDescribed = kind == Kind.Described;
        return
            keccak256(
                abi.encode(
                    keccak256(
                        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                    ),
                    keccak256(bytes(isDescribed ? "Described" : "Odd")),
                    keccak256(bytes(isDescribed ? "7" : kind == Kind.Unversioned ? "2" : "1")),
                    // Another chain's id, as in a token whose chain was forked or that was copied.
                    kind == Kind.Foreign ? block.chainid + 1 : block.chainid,
                    address(this)
                )
            );
    }

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(kind != Kind.Dai, "another permit");
        require(block.timestamp <= deadline, "expired");
        bytes32 hash = keccak256(
            abi.encode(PERMIT, owner, spender, value, nonces[owner]++, deadline)
        );
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), hash));
        require(ecrecover(digest, v, r, s) == owner, "not the owner");
        allowance[owner][spender] = value;
    }
}
